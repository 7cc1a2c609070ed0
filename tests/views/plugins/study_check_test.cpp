#include "views/plugins/study/study_check.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>

#include "views/plugins/study/yaml_highlighter.h"

namespace ulp::views {
namespace {

TEST(StudyCheck, TheTemplateIsAValidStudy) {
  QFile file(QStringLiteral(":/templates/study.yaml"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const StudyCheck check = checkStudyText(QString::fromUtf8(file.readAll()), {});
  for (const StudyProblem& problem : check.problems) {
    ADD_FAILURE() << problem.line << ": " << problem.text.toStdString();
  }
  ASSERT_EQ(check.variants.size(), 4U);
  EXPECT_EQ(check.variants[0].name, QStringLiteral("bf16"));
  EXPECT_EQ(check.variants[0].overrides, QStringLiteral("precision.compute_dtype = bfloat16"));
  EXPECT_TRUE(check.outputDir.startsWith(QLatin1Char('/')));
}

TEST(StudyCheck, NamesTheLineOfAMistake) {
  const StudyCheck check =
      checkStudyText(QStringLiteral("model:\n  path: m\n  colour: red\noutput_dir: o\n"),
                     QStringLiteral("/a/s.yaml"));
  ASSERT_FALSE(check.problems.empty());
  EXPECT_EQ(check.problems[0].line, 3);
  EXPECT_TRUE(check.problems[0].text.contains(QStringLiteral("colour")));
  EXPECT_FALSE(check.problems[0].text.contains(QStringLiteral("s.yaml")));
}

TEST(StudyCheck, SurvivesTextThatIsNotYaml) {
  EXPECT_FALSE(checkStudyText(QStringLiteral("{[}:\t- &*"), {}).problems.empty());
}

TEST(ProblemsOf, CutsPositionsOff) {
  const auto problems = problemsOf(QStringLiteral("s.yaml:12:3: bad key; try x\ns.yaml: nothing\n"),
                                   QStringLiteral("s.yaml"));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].line, 12);
  EXPECT_EQ(problems[0].text, QStringLiteral("bad key; try x"));
  EXPECT_EQ(problems[1].line, 0);
  EXPECT_EQ(problems[1].text, QStringLiteral("nothing"));
}

TEST(CommentStart, IgnoresQuotedAndGluedHashes) {
  EXPECT_EQ(commentStart(QStringLiteral("a: 1 # c")), 5);
  EXPECT_EQ(commentStart(QStringLiteral("# c")), 0);
  EXPECT_EQ(commentStart(QStringLiteral("a: 'x # y'")), 10);
  EXPECT_EQ(commentStart(QStringLiteral("a: x#y")), 6);
}

}  // namespace
}  // namespace ulp::views
