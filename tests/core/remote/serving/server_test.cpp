#include "core/remote/serving/server.h"

#include <fcntl.h>

#include <gtest/gtest.h>

#include "core/base/files/file_descriptor.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::remote {
namespace {

/// What a host answers to one question.
Result<Frame> answerTo(json::Object question) {
  const test::TempDir folder;
  question["number"] = 7;
  const auto asked = folder.write("asked", encoded({.head = std::move(question)}));
  const FileDescriptor input(::open(asked.c_str(), O_RDONLY | O_CLOEXEC));
  const auto answered = folder / "answered";
  const FileDescriptor output(::open(answered.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ULP_TRY(Server(input.get(), output.get(), "ulpscope-cli").run());
  const std::string said = test::contentOf(answered);
  EXPECT_TRUE(said.starts_with(kGreeting));
  FrameReader reader;
  reader.feed(std::string_view(said).substr(kGreeting.size()));
  auto frame = ULP_TRY(reader.next());
  if (!frame) {
    return fail(ErrorCode::NotFound, "no answer");
  }
  EXPECT_EQ(frame->head.at("number").integer(), 7);
  return std::move(*frame);
}

TEST(Server, ListsAFolder) {
  const test::TempDir folder;
  folder.write("a", "1234");
  const auto answer = answerTo({{"ask", "list"}, {"path", folder.path().string()}});
  ASSERT_TRUE(answer) << answer.error().message();
  const json::Array& entries = answer->head.at("entries").items();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].at("name").text(), "a");
  EXPECT_EQ(entries[0].at("size").integer(), 4);
}

TEST(Server, SaysThatAFolderIsTooLargeToBeListed) {
  const test::TempDir folder;
  // Names are long, so that there need not be many.
  std::filesystem::path deep = folder.path();
  for (int i = 0; i < 13; ++i) {
    deep /= std::string(250, 'd');
    std::filesystem::create_directory(deep);
  }
  constexpr int kFiles = 4500;
  const FileDescriptor at(::open(deep.c_str(), O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kFiles; ++i) {
    const std::string name = std::string(200, 'f') + std::to_string(i);
    FileDescriptor(::openat(at.get(), name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  }
  const auto answer = answerTo({{"ask", "list"}, {"path", deep.string()}});
  ASSERT_TRUE(answer) << answer.error().message();
  const auto error = errorOf(*answer);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::remote
