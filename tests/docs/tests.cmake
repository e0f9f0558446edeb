# SPDX-License-Identifier: Apache-2.0
# What is written about the command is what it does.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TARGET ocp-convert)
    add_test(NAME docs-completions
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/docs/completions.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
endif()
