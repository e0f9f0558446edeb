# SPDX-License-Identifier: Apache-2.0
# What is written about the command is what it does.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TARGET ocp-convert)
    add_test(NAME docs-completions
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/completions.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
endif()

# The packages: a build of their own, and a clean Debian to install them on.
add_test(NAME docs-package
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/package.py
                 --source ${CMAKE_SOURCE_DIR})
set_tests_properties(docs-package PROPERTIES LABELS long TIMEOUT 3600 SKIP_RETURN_CODE 77)

if(TARGET ocp-convert)
    add_test(NAME docs-run
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/run-docs.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
    set_tests_properties(docs-run PROPERTIES TIMEOUT 600)
endif()

add_test(NAME docs-diagnostics
         COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/diagnostics.py
                 --source ${CMAKE_SOURCE_DIR})
