# SPDX-License-Identifier: Apache-2.0
# Installs the package of package-lock.json into the build folder, once. Without a
# network this is no failure: the test that needs it says "skipped".
file(MAKE_DIRECTORY ${TARGET})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc
          ${SOURCE}/yaml_write.mjs DESTINATION ${TARGET})
if(EXISTS ${TARGET}/node_modules/yaml/package.json)
    return()
endif()
execute_process(COMMAND ${NPM} ci --no-audit --no-fund WORKING_DIRECTORY ${TARGET}
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE error TIMEOUT 100)
if(NOT result EQUAL 0)
    message(STATUS "npm ci did not succeed: ${error}")
endif()
