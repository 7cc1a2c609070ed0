#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"
#include "tests/views/context_fixture.h"
#include "views/framework/workspace/study_document.h"

namespace ulp::views {
namespace {

using namespace std::string_literals;

TEST(StudyText, ThatIsNotUtf8IsRefusedWithLineAndColumn) {
  const auto refused = studyTextOf("a: 1\nb: \xc3\xa9t\xe9\n", QStringLiteral("/s.yaml"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(refused.error().message(),
              testing::StartsWith("/s.yaml:2:6: the byte 0xE9 is not UTF-8"));
}

TEST(StudyText, IsSavedByteForByte) {
  test::ContextFixture fixture;
  const test::TempDir folder;
  for (const std::string& bytes : {"\xef\xbb\xbf"s + "a: 1\r\nb: 2\r\n",
                                   "a: 1\rb:\t2\n\n# no end"s,
                                   "a: 1\0b\n"s,
                                   "a: \xef\xbb\xbf\xe2\x80\xa8\xc2\xa0\n"s,
                                   ""s}) {
    const auto file = folder.write("s.yaml", bytes);
    const QString path = QString::fromStdString(file.string());
    fixture.workspace.open({path});
    fixture.settle();
    ASSERT_EQ(fixture.workspace.study.content().path, path);
    const auto copy = folder.path() / "copy.yaml";
    ASSERT_TRUE(fixture.saveStudy(QString::fromStdString(copy.string())).has_value());
    EXPECT_EQ(test::contentOf(copy), bytes);
    fixture.workspace.study.close();
  }
}

}  // namespace
}  // namespace ulp::views
