# SPDX-License-Identifier: Apache-2.0
# Whether every rule of every mapping is needed: minutes, so not in the ordinary run
# (ctest -L long).
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TARGET ocp-convert)
    add_test(NAME mapping-mutants
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/mapping/mutate.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR}
                     --shared ${OCP_SHARED_DIR})
    set_tests_properties(mapping-mutants PROPERTIES LABELS long TIMEOUT 3600)
endif()
