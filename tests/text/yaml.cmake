# SPDX-License-Identifier: Apache-2.0
# What other readers make of our YAML: PyYAML (1.1), and "yaml" for JavaScript (1.2).
set(yaml_folder ${CMAKE_BINARY_DIR}/yaml-write)
find_program(OCP_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH) # has PyYAML
find_program(OCP_PYTHON NAMES python3)
find_program(OCP_NODE NAMES node)
find_program(OCP_NPM NAMES npm)

if(OCP_PYTHON)
    add_test(NAME text-yaml-write-python
             COMMAND ${OCP_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/yaml_write.py
                     $<TARGET_FILE:test-text-yaml-write> ${yaml_folder})
    set_tests_properties(text-yaml-write-python PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 300 FIXTURES_SETUP yaml-values)
endif()

if(OCP_PYTHON AND OCP_NODE AND OCP_NPM)
    add_test(NAME text-yaml-write-npm-install
             COMMAND ${CMAKE_COMMAND} -DNPM=${OCP_NPM}
                     -DSOURCE=${CMAKE_CURRENT_LIST_DIR}/js -DTARGET=${yaml_folder}/js
                     -P ${CMAKE_CURRENT_LIST_DIR}/js/install.cmake)
    set_tests_properties(text-yaml-write-npm-install PROPERTIES
        TIMEOUT 120 FIXTURES_SETUP yaml-npm)
    add_test(NAME text-yaml-write-node
             COMMAND ${OCP_NODE} ${yaml_folder}/js/yaml_write.mjs ${yaml_folder})
    set_tests_properties(text-yaml-write-node PROPERTIES
        SKIP_RETURN_CODE 77 TIMEOUT 300 FIXTURES_REQUIRED "yaml-values;yaml-npm")
endif()
