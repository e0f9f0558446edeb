# SPDX-License-Identifier: Apache-2.0
# The command as users see it: a folder with a file `command` is a case.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TARGET ocp-convert)
    add_test(NAME cli-cases
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/run-cases.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
    add_test(NAME cli-report-schema
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/cli/check-reports.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
    set_tests_properties(cli-cases cli-report-schema PROPERTIES TIMEOUT 600)
endif()

# What the README shows: a real checkpoint, converted before one's eyes.
if(TARGET ocp-convert)
    add_custom_target(demo
        COMMAND ocp-convert fixtures/specrail/handoff/input.json
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
        COMMENT "ocp-convert fixtures/specrail/handoff/input.json"
        USES_TERMINAL)
endif()
