#include "views/plugins/study/text/study_check.h"

#include <gtest/gtest.h>

#include <QtCore/QFile>

#include "views/plugins/study/text/yaml_editor.h"

namespace ulp::views {
namespace {

TEST(StudyCheck, TheTemplateIsAValidStudy) {
  QFile file(QStringLiteral(":/templates/study.yaml"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const StudyCheck check = checkStudyText(QString::fromUtf8(file.readAll()), {});
  for (const StudyProblem& problem : check.problems) {
    ADD_FAILURE() << problem.line << ": " << problem.text.toStdString();
  }
  ASSERT_TRUE(check.isValid());
  EXPECT_EQ(check.study->variants.size(), 4U);
  EXPECT_EQ(check.effective.runs.size(), 5U);
  ASSERT_NE(check.tree, nullptr);
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

TEST(StudyCheck, MarksTheWordThatIsWrong) {
  const StudyCheck check = checkStudyText(
      QStringLiteral("model:\n  path: ä\nvariants:\n  ü: {precision.compute_dtype: bf17, x: 1}\n"),
      {});
  ASSERT_EQ(check.problems.size(), 2U);
  EXPECT_EQ(check.problems[0].line, 4);
  // Columns count characters, not bytes.
  EXPECT_EQ(check.problems[0].column, 32);
  EXPECT_EQ(check.problems[0].length, 4);
  EXPECT_EQ(check.problems[0].key, QStringLiteral("precision.compute_dtype"));
  EXPECT_TRUE(check.problems[0].isOverride);
  EXPECT_EQ(check.problems[1].column, 38);
  EXPECT_EQ(check.problems[1].length, 1);
  EXPECT_FALSE(check.isValid());
  EXPECT_NE(check.tree, nullptr);
}

TEST(StudyCheck, ShowsSettingsWithoutEffectAtTheirPlace) {
  const StudyCheck check = checkStudyText(QStringLiteral("model: {path: m, seed: 1}\n"), {});
  ASSERT_TRUE(check.isValid());
  ASSERT_EQ(check.problems.size(), 1U);
  EXPECT_EQ(check.problems[0].severity, Severity::Look);
  EXPECT_EQ(check.problems[0].line, 1);
  EXPECT_EQ(check.problems[0].key, QStringLiteral("model.seed"));
  EXPECT_FALSE(check.problems[0].isOverride);
}

TEST(StudyCheck, SurvivesTextThatIsNotYaml) {
  const StudyCheck check = checkStudyText(QStringLiteral("{[}:\t- &*"), {});
  EXPECT_FALSE(check.problems.empty());
  EXPECT_EQ(check.tree, nullptr);
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
