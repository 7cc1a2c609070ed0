#include "core/base/files/file_writer.h"

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(FileWriter, ShowsTheFileOnlyWhenComplete) {
  const test::TempDir folder;
  auto writer = FileWriter::create(folder / "x").value();
  ASSERT_TRUE(writer.write(bytesOf("ab")));
  ASSERT_TRUE(writer.write(bytesOf("cd")));
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
  ASSERT_TRUE(writer.commit());
  EXPECT_EQ(readTextFile(folder / "x").value(), "abcd");
}

TEST(FileWriter, LeavesNothingWithoutCommit) {
  const test::TempDir folder;
  folder.write("x", "old");
  {
    auto writer = FileWriter::create(folder / "x").value();
    ASSERT_TRUE(writer.write(bytesOf("new")));
    auto moved = std::move(writer);
    writer = FileWriter::create(folder / "y").value();
  }
  EXPECT_EQ(readTextFile(folder / "x").value(), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "x.part"));
  EXPECT_FALSE(std::filesystem::exists(folder / "y.part"));
}

TEST(FileWriter, NamesThePathThatCannotBeWritten) {
  const auto writer = FileWriter::create("/nowhere/x");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code(), ErrorCode::Io);
  EXPECT_EQ(writer.error().message(), "/nowhere/x: cannot write: No such file or directory");
}

}  // namespace
}  // namespace ulp::tensors
