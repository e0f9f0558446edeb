# SPDX-License-Identifier: Apache-2.0
# The library as an installed one, and as threads share it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(OCP_CXX NAMES c++ g++ clang++)
if(OCP_CXX)
    set(library_flags "")
    if(OCP_SANITIZE)
        set(library_flags "-fsanitize=${OCP_SANITIZE}")
    endif()
    add_test(NAME library-installed
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/library/installed.py
                     --build ${CMAKE_BINARY_DIR} --source ${CMAKE_SOURCE_DIR}
                     --libdir ${CMAKE_INSTALL_LIBDIR} --cc ${CMAKE_C_COMPILER}
                     --cxx ${OCP_CXX} "--flags=${library_flags}")
    set_tests_properties(library-installed PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()

set_tests_properties(library-threads PROPERTIES TIMEOUT 600
                     ENVIRONMENT "G_SLICE=always-malloc")
add_test(NAME library-threads-long COMMAND test-library-threads)
set_tests_properties(library-threads-long PROPERTIES LABELS long TIMEOUT 7200
                     ENVIRONMENT "OCP_DOCUMENTS=10000;G_SLICE=always-malloc")
