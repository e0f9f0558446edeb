# SPDX-License-Identifier: Apache-2.0
# Judges that are not ours, and what no C may know.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME convert-dialect-names
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/convert/dialect_names.py
                 ${CMAKE_SOURCE_DIR})
if(TARGET ocp-convert)
    add_test(NAME convert-specrail-jsonschema
             COMMAND ${Python3_EXECUTABLE}
                     ${CMAKE_CURRENT_SOURCE_DIR}/convert/specrail_jsonschema.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR}
                     --shared ${OCP_SHARED_DIR} --build ${CMAKE_BINARY_DIR})
    set_tests_properties(convert-specrail-jsonschema PROPERTIES TIMEOUT 600)
endif()
