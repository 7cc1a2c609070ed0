#include <clocale>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  // As Qt does in the window: nothing below may depend on it.
  std::setlocale(LC_ALL, "");
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
