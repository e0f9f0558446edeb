# SPDX-License-Identifier: Apache-2.0
# Batches as users see them: the command on trees of files, killed and started again.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(TARGET ocp-convert)
    add_executable(kill-at-call ${CMAKE_CURRENT_SOURCE_DIR}/batch/kill_at_call.c)
    foreach(what folders kills lines)
        set(run ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/batch/${what}.py
                --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR}
                --helper $<TARGET_FILE:kill-at-call>)
        add_test(NAME batch-${what} COMMAND ${run})
        add_test(NAME batch-${what}-long COMMAND ${run} --long)
        set_tests_properties(batch-${what} PROPERTIES TIMEOUT 1500)
        set_tests_properties(batch-${what}-long PROPERTIES LABELS long TIMEOUT 3600)
    endforeach()
endif()
