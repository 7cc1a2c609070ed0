#include "core/text/documents/documents.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/rewritten_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::text {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Documents : public testing::Test {
 protected:
  Result<std::vector<std::string>> read(std::string_view name,
                                        std::string_view content,
                                        const std::string& field = "text") {
    auto reader = DocumentReader::open(m_folder.write(name, content), field);
    std::vector<std::string> texts;
    while (reader) {
      auto document = reader->next();
      if (!document) {
        return tl::unexpected(document.error());
      }
      if (!*document) {
        return texts;
      }
      texts.push_back((*document)->text);
      m_lastPlace = (*document)->place;
    }
    return tl::unexpected(reader.error());
  }

  test::TempDir m_folder;
  std::string m_lastPlace;
};

TEST_F(Documents, OfJsonLinesAreTheNamedField) {
  EXPECT_THAT(*read("a.jsonl", "{\"text\": \"a\\nb\"}\r\n\n{\"text\": \"\"}\n{\"text\": \"c\"}"),
              ElementsAre("a\nb", "c"));
  EXPECT_THAT(m_lastPlace, HasSubstr("a.jsonl:4"));
  EXPECT_THAT(*read("a.jsonl", "{\"body\": \"x\", \"text\": 3}", "body"), ElementsAre("x"));
}

TEST_F(Documents, OfPlainTextAreParagraphsWhereThereAreBlankLines) {
  EXPECT_THAT(*read("a.txt", "\n\na\nb\n \t\n\nc\n\n"), ElementsAre("a\nb", "c"));
  EXPECT_THAT(m_lastPlace, HasSubstr("a.txt:7"));
}

TEST_F(Documents, OfPlainTextAreLinesOtherwise) {
  EXPECT_THAT(*read("a.txt",
                    "\xEF\xBB\xBF"
                    "a\r\nb \nc\n\n"),
              ElementsAre("a", "b ", "c"));
  EXPECT_THAT(*read("a.txt", ""), ElementsAre());
}

TEST_F(Documents, LinesThatAreNoObjectsAreNamed) {
  const auto expectError = [this](std::string_view content, const char* what) {
    const auto texts = read("a.jsonl", content);
    ASSERT_FALSE(texts);
    EXPECT_EQ(texts.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(texts.error().message(), HasSubstr("a.jsonl:2: "));
    EXPECT_THAT(texts.error().message(), HasSubstr(what));
  };
  expectError("{\"text\": \"a\"}\n{\"text\": ", "parse error");
  expectError("{\"text\": \"a\"}\n[1]", "one JSON object");
  expectError("{\"text\": \"a\"}\n{\"body\": \"a\"}", "no field 'text'; the object has 'body'");
  expectError("{\"text\": \"a\"}\n{\"text\": 3}", "not a text");
}

/// SIGBUS ended the program where the file was cut.
TEST_F(Documents, OfAFileThatIsCutOrChangedMeanwhileAreNotBelieved) {
  const std::string line = "{\"text\": \"" + std::string(100, 'a') + "\"}\n";
  std::string content;
  while (content.size() < 100'000) {
    content += line;
  }
  for (const bool isCut : {true, false}) {
    const auto path = m_folder.write("a.jsonl", content);
    auto reader = DocumentReader::open(path, "text");
    ASSERT_TRUE(reader);
    ASSERT_TRUE(reader->next());
    isCut ? std::filesystem::resize_file(path, 0) : test::writeInPlace(path, line);
    const auto next = reader->next();
    ASSERT_FALSE(next) << isCut;
    EXPECT_THAT(next.error().message(),
                HasSubstr(path.string() + (isCut ? ": the file became shorter while it was open"
                                                 : ": the file was changed while it was open")));
  }
}

TEST_F(Documents, AMissingFileIsNotFound) {
  const auto reader = DocumentReader::open(m_folder / "none.txt", "text");
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::text
