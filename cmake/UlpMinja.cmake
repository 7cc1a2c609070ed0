# Imported target ulp::minja: the header that reads chat templates; tools/install_minja.py fetches it.
set(ULP_MINJA_DIR "${PROJECT_SOURCE_DIR}/build/deps/minja" CACHE PATH
  "Folder of minja (include/minja/minja.hpp) and of the published chat templates that tests render")
if(NOT EXISTS ${ULP_MINJA_DIR}/include/minja/minja.hpp)
  message(FATAL_ERROR
    "minja not found (ULP_MINJA_DIR='${ULP_MINJA_DIR}'). Run `make setup`, which fetches it out of the "
    "source archive of llama-cpp-python on PyPI.")
endif()

add_library(ulp_minja INTERFACE)
add_library(ulp::minja ALIAS ulp_minja)
target_include_directories(ulp_minja SYSTEM INTERFACE ${ULP_MINJA_DIR}/include)
target_link_libraries(ulp_minja INTERFACE nlohmann_json::nlohmann_json)
