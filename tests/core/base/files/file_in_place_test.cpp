#include "core/base/files/file_in_place.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(OpenInPlace, MakesAFileAndGoesOnWithIt) {
  const test::TempDir folder;
  for (const char* content : {"x", "xx"}) {
    const auto file = openInPlace(folder / "log", O_CREAT | O_APPEND);
    ASSERT_TRUE(file) << file.error().message();
    const std::byte letter{'x'};
    ASSERT_EQ(writeAll(file->get(), {&letter, 1}), 0);
    EXPECT_EQ(test::contentOf(folder / "log"), content);
  }
  EXPECT_EQ(openInPlace(folder / "none").error().code(), ErrorCode::Io);
}

/// Each of these would change what lies elsewhere, or never open.
TEST(OpenInPlace, WhatLeadsElsewhereOrIsNoFileIsRefusedAndStays) {
  const test::TempDir folder;
  folder.write("victim", "theirs");
  fs::create_symlink("victim", folder / "link");
  fs::create_symlink("nothing", folder / "dangling");
  fs::create_hard_link(folder / "victim", folder / "twin");
  fs::create_directory(folder / "folder");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const char* name : {"link", "dangling", "twin", "pipe"}) {
    const auto file = openInPlace(folder / name, O_CREAT | O_APPEND);
    ASSERT_FALSE(file) << name;
    EXPECT_EQ(file.error().code(), ErrorCode::InvalidArgument) << name;
    EXPECT_THAT(file.error().message(), HasSubstr((folder / name).string() + ": is "));
    EXPECT_THAT(file.error().message(), HasSubstr("choose another folder"));
  }
  EXPECT_EQ(openInPlace(folder / "folder").error().code(), ErrorCode::Io);
  EXPECT_EQ(test::contentOf(folder / "victim"), "theirs");
  EXPECT_FALSE(fs::exists(folder / "nothing"));
}

}  // namespace
}  // namespace ulp
