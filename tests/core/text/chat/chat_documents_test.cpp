#include "core/text/chat/chat_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ChatDocuments : public testing::Test {
 protected:
  Result<std::vector<ChatDocument>> read(std::string_view name,
                                         std::string_view content,
                                         const std::string& field = "messages") {
    auto parsed = ChatTemplate::parse(
        {.jinja = "{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% if m.role == 'villain' "
                  "%}{{ raise_exception('no villains') }}{% endif %}{% endfor %}{% if "
                  "add_generation_prompt %}[assistant:{% endif %}",
         .origin = "t.jinja"});
    auto reader = ChatDocumentReader::open(m_folder.write(name, content), field, *parsed);
    std::vector<ChatDocument> documents;
    while (reader) {
      auto document = reader->next();
      if (!document) {
        return tl::unexpected(document.error());
      }
      if (!*document) {
        return documents;
      }
      documents.push_back(**std::move(document));
    }
    return tl::unexpected(reader.error());
  }

  test::TempDir m_folder;
};

TEST_F(ChatDocuments, AreTheMessagesByTheTemplate) {
  const auto documents = read("a.jsonl",
                              "\n{\"messages\": [{\"role\": \"user\", \"content\": \"a\", "
                              "\"name\": null}, {\"role\": \"assistant\", \"content\": \"b\"}]}\n");
  ASSERT_TRUE(documents) << documents.error().message();
  ASSERT_EQ(documents->size(), 1U);
  EXPECT_THAT(documents->front().parts, ElementsAre("[user:a][assistant:b]"));
  EXPECT_THAT(documents->front().place, HasSubstr("a.jsonl:2"));
  EXPECT_EQ(read("a.jsonl", R"({"turns": [{"role": "user", "content": ""}]})", "turns")->size(),
            1U);
}

TEST_F(ChatDocuments, OfAProblemAreThePromptAndThenTheSolution) {
  const auto documents = read("a.jsonl", R"({"problem": "1+1?", "solution": "2", "id": 7})");
  ASSERT_TRUE(documents) << documents.error().message();
  EXPECT_THAT(documents->front().parts,
              ElementsAre("[system:Please reason step by step, and put your final answer within "
                          "\\boxed{}.][user:1+1?][assistant:",
                          "2"));
}

TEST_F(ChatDocuments, RowsThatAreNoConversationAreNamed) {
  const auto expectError = [this](std::string_view row, ErrorCode code, const char* what) {
    const auto documents = read("a.jsonl", row);
    ASSERT_FALSE(documents) << row;
    EXPECT_EQ(documents.error().code(), code);
    EXPECT_THAT(documents.error().message(), HasSubstr("a.jsonl:1: "));
    EXPECT_THAT(documents.error().message(), HasSubstr(what));
  };
  expectError("[1]", ErrorCode::CorruptData, "one JSON object");
  expectError(R"({"text": "a"})", ErrorCode::CorruptData, "neither a field 'messages'");
  expectError(R"({"problem": 1, "solution": "a"})", ErrorCode::CorruptData, "not both texts");
  expectError(R"({"messages": []})", ErrorCode::CorruptData, "not a list of messages");
  expectError(R"({"messages": ["a"]})", ErrorCode::CorruptData, "messages[0]: a message is an ");
  expectError(R"({"messages": [{"role": "user"}]})",
              ErrorCode::CorruptData,
              "messages[0]: the message has no 'content'");
  expectError(R"({"messages": [{"role": "user", "content": [{"type": "image"}]}]})",
              ErrorCode::CorruptData,
              "messages[0]: 'content' is not a text");
  expectError(R"({"messages": [{"role": "villain", "content": "a"}]})",
              ErrorCode::InvalidArgument,
              "t.jinja: the chat template refuses the messages: row 1, column");
}

TEST_F(ChatDocuments, OtherFilesHoldNoConversations) {
  EXPECT_EQ(read("a.txt", "Hi").error().code(), ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace ulp::text
