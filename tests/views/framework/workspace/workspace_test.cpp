#include "views/framework/workspace/workspace.h"

#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <QtTest/QSignalSpy>

#include "tests/support/data/report_builder.h"
#include "tests/views/context_fixture.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::views {
namespace {

QString firstMessage(const QSignalSpy& spy) {
  return spy.isEmpty() ? QString() : spy.first().first().value<Message>().text;
}

class WorkspaceTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    auto path = std::filesystem::path(m_fixture.folder.path().toStdString()) / name;
    std::ofstream(path) << text;
    return path;
  }

  test::ContextFixture m_fixture;
};

TEST_F(WorkspaceTest, OpensAReportAndSelectsItsWorstCell) {
  m_fixture.openReport(test::sampleReport(5, {"bf16", "fp16"}));
  const Selection& selection = m_fixture.selection.selection();
  EXPECT_EQ(selection.run(), QStringLiteral("fp16"));
  EXPECT_EQ(selection.metric, QStringLiteral("rms_rel"));
  EXPECT_EQ(selection.site, QStringLiteral("decoder.0"));
  EXPECT_EQ(selection.pass, Pass::Backward);
  EXPECT_EQ(recentFiles(m_fixture.settings), QStringList{m_fixture.folder.path()});
}

TEST_F(WorkspaceTest, ReloadKeepsTheSelection) {
  m_fixture.openReport(test::sampleReport(5, {"bf16", "fp16"}));
  m_fixture.selection.selectSite(QStringLiteral("norm"), Pass::Forward);
  const Selection before = m_fixture.selection.selection();
  const DocumentPtr old = m_fixture.workspace.reports.document();
  m_fixture.workspace.reports.reload();
  m_fixture.settle();
  EXPECT_NE(m_fixture.workspace.reports.document(), old);
  EXPECT_EQ(m_fixture.selection.selection(), before);
}

TEST_F(WorkspaceTest, SaysWhatIsWrongAndKeepsWhatIsOpen) {
  m_fixture.openReport(test::sampleReport(5, {"bf16"}));
  const DocumentPtr open = m_fixture.workspace.reports.document();
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  const auto broken = write("broken.json", R"({"schema": "ulpscope.report/1", )");
  m_fixture.workspace.open({QString::fromStdString(broken.string())});
  m_fixture.settle();
  ASSERT_EQ(messages.count(), 1);
  EXPECT_TRUE(firstMessage(messages).contains(QStringLiteral("broken.json")))
      << firstMessage(messages).toStdString();
  EXPECT_EQ(m_fixture.workspace.reports.document(), open);
}

TEST_F(WorkspaceTest, AMissingFileIsNamed) {
  const QSignalSpy messages(&m_fixture.workspace.messages, &Messages::raise);
  m_fixture.workspace.open({QStringLiteral("/nonexistent/report.json")});
  m_fixture.workspace.open({QStringLiteral("/nonexistent/study.yaml")});
  m_fixture.settle();
  ASSERT_EQ(messages.count(), 2);
  EXPECT_TRUE(firstMessage(messages).contains(QStringLiteral("/nonexistent/")));
  EXPECT_TRUE(recentFiles(m_fixture.settings).isEmpty());
}

TEST_F(WorkspaceTest, OpensAStudyBesideAReport) {
  m_fixture.openReport(test::sampleReport(2, {"bf16"}));
  const auto study = write("s.yaml", "model: {path: m}\n");
  const QSignalSpy opened(&m_fixture.workspace.study, &StudyDocument::opened);
  m_fixture.workspace.open({QString::fromStdString(study.string())});
  m_fixture.settle();
  EXPECT_EQ(opened.count(), 1);
  EXPECT_TRUE(m_fixture.workspace.study.isOpen());
  EXPECT_NE(m_fixture.workspace.reports.document(), nullptr);
  EXPECT_FALSE(m_fixture.workspace.study.content().isModified());
}

TEST_F(WorkspaceTest, ANewStudyIsTheTemplateAndIsSavedWhereAsked) {
  m_fixture.workspace.study.openNew();
  const StudyText& study = m_fixture.workspace.study.content();
  EXPECT_TRUE(study.text.contains(QStringLiteral("variants:")));
  EXPECT_TRUE(study.path.isEmpty());
  EXPECT_TRUE(study.isModified());
  m_fixture.workspace.study.setText(QStringLiteral("model: {path: x}\n"));
  const QString path = m_fixture.folder.filePath(QStringLiteral("new.yaml"));
  ASSERT_TRUE(m_fixture.saveStudy(path).has_value());
  EXPECT_FALSE(study.isModified());
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll(), QByteArray("model: {path: x}\n"));
}

TEST_F(WorkspaceTest, SavingWhereItCannotIsAnErrorAndKeepsTheEdit) {
  m_fixture.workspace.study.openNew();
  m_fixture.workspace.study.setText(QStringLiteral("edited"));
  const Result<> saved = m_fixture.saveStudy(QStringLiteral("/nonexistent/a/b.yaml"));
  ASSERT_FALSE(saved.has_value());
  EXPECT_EQ(saved.error().code(), ErrorCode::Io);
  EXPECT_TRUE(m_fixture.workspace.study.content().isModified());
  EXPECT_EQ(m_fixture.workspace.study.content().text, QStringLiteral("edited"));
}

TEST_F(WorkspaceTest, WhatIsTypedWhileSavingIsNotSavedYet) {
  m_fixture.workspace.study.openNew();
  m_fixture.workspace.study.setText(QStringLiteral("a: 1\n"));
  const QString path = m_fixture.folder.filePath(QStringLiteral("typed.yaml"));
  m_fixture.workspace.study.save(path,
                                 [](const Result<>& saved) { EXPECT_TRUE(saved.has_value()); });
  EXPECT_EQ(m_fixture.workspace.study.textBeingSaved(), QStringLiteral("a: 1\n"));
  m_fixture.workspace.study.setText(QStringLiteral("a: 12\n"));
  m_fixture.settle();
  EXPECT_FALSE(m_fixture.workspace.study.textBeingSaved().has_value());
  EXPECT_EQ(m_fixture.workspace.study.content().path, path);
  EXPECT_EQ(m_fixture.workspace.study.content().savedText, QStringLiteral("a: 1\n"));
  EXPECT_TRUE(m_fixture.workspace.study.hasUnsavedEdits());
}

TEST_F(WorkspaceTest, AStudyOpenedWhileAnotherIsSavedStaysAsItIs) {
  m_fixture.workspace.study.openNew();
  m_fixture.workspace.study.setText(QStringLiteral("a: 1\n"));
  const QString path = m_fixture.folder.filePath(QStringLiteral("first.yaml"));
  bool isSaved = false;
  m_fixture.workspace.study.save(
      path, [&isSaved](const Result<>& saved) { isSaved = saved.has_value(); });
  m_fixture.workspace.study.openCopy(QStringLiteral("b: 2\n"));
  m_fixture.settle();
  EXPECT_TRUE(isSaved);
  EXPECT_TRUE(QFile::exists(path));
  EXPECT_TRUE(m_fixture.workspace.study.content().path.isEmpty());
  EXPECT_TRUE(m_fixture.workspace.study.content().isModified());
}

TEST_F(WorkspaceTest, RemembersTenFilesNewestFirst) {
  for (int i = 0; i < 12; ++i) {
    const auto study = write("s" + std::to_string(i) + ".yaml", "a: 1\n");
    m_fixture.workspace.open({QString::fromStdString(study.string())});
    m_fixture.settle();
  }
  const QStringList recent = recentFiles(m_fixture.settings);
  ASSERT_EQ(recent.size(), 10);
  EXPECT_TRUE(recent.first().endsWith(QStringLiteral("s11.yaml")));
}

TEST(AdaptSelection, KeepsWhatTheReportHas) {
  const DocumentPtr document = test::documentOf(test::sampleReport(3, {"a", "b"}));
  Selection selection;
  selection.runs = {QStringLiteral("gone"), QStringLiteral("b")};
  selection.site = QStringLiteral("norm");
  selection.metric = QStringLiteral("no such metric");
  const Selection adapted = adaptSelection(selection, *document);
  EXPECT_EQ(adapted.runs, QStringList{QStringLiteral("b")});
  EXPECT_EQ(adapted.site, QStringLiteral("norm"));
  EXPECT_EQ(adapted.metric, QStringLiteral("rms_rel"));
}

TEST(InitialSelection, IsAmongWhatTablesShow) {
  const auto plain = test::documentOf(test::realisticReport({.layers = 2, .variants = {"a"}}));
  EXPECT_EQ(initialSelection(*plain).shown, PassFilter::ForwardBackward);
  report::Report report =
      test::realisticReport({.layers = 2, .variants = {"a"}, .parameterGradients = true});
  auto& rows = report.runs.back().comparisons;
  const auto gradient = std::ranges::find_if(
      rows, [](const auto& row) { return row.site.pass == Pass::ParameterGradient; });
  ASSERT_NE(gradient, rows.end());
  gradient->metrics.at(static_cast<std::size_t>(report.metricIndex("rms_rel"))) = 90;
  const Selection initial = initialSelection(*test::documentOf(report));
  EXPECT_EQ(initial.site.toStdString(), gradient->site.name);
  EXPECT_EQ(initial.pass, Pass::ParameterGradient);
  EXPECT_TRUE(accepts(initial.shown, initial.pass));
  EXPECT_TRUE(accepts(initial.shown, Pass::Forward)) << "and all others stay there";
  EXPECT_EQ(onAxis(initial.shown), PassFilter::ForwardBackward);
}

TEST(InitialSelection, OfAnEmptyReportIsEmpty) {
  EXPECT_EQ(initialSelection(*test::documentOf({})), Selection());
}

}  // namespace
}  // namespace ulp::views
