#include "views/framework/words/term_text.h"

#include <array>

#include <QtCore/QCoreApplication>

#include "core/base/site.h"
#include "core/report/summary/summary.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

/// Titles of report::summaryColumns(), for the translators.
[[maybe_unused]] constexpr std::array kTitles{
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "mid median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "mid max"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "linear median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "linear max"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "norm median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "norm max"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "bias median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "bias max"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "state median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "state max"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "update median"),
    QT_TRANSLATE_NOOP("ulp::views::SummaryTitle", "update max")};

/// As places of findings name it.
QString englishPass(Pass pass) {
  return pass == Pass::ParameterGradient ? QStringLiteral("parameter gradient")
                                         : QString::fromStdString(std::string(toString(pass)));
}

QString termText(const std::string& english) {
  const QString text = QString::fromStdString(english);
  for (const Pass pass : kPasses) {
    const QString behind = QStringLiteral(", ") + englishPass(pass);
    if (text.endsWith(behind)) {
      return text.chopped(behind.size()) + QStringLiteral(", ") + passText(pass);
    }
  }
  return text;
}

}  // namespace

QString sentenceText(const Sentence& sentence) {  // NOLINT(misc-no-recursion): it is finite
  if (sentence.isLiteral) {
    return termText(sentence.pattern);
  }
  Sentence translated{ruleText(sentence.pattern).toStdString(), {}};
  for (const Sentence& argument : sentence.arguments) {
    translated.arguments.emplace_back(sentenceText(argument).toStdString());
  }
  return QString::fromStdString(translated.text());
}

QStringList sentenceTexts(std::span<const Sentence> sentences) {
  QStringList texts;
  for (const Sentence& sentence : sentences) {
    texts << sentenceText(sentence);
  }
  return texts;
}

QString ruleText(const std::string& english) {
  return QCoreApplication::translate("ulp::Findings", english.c_str());
}

QString summaryTitle(const report::SummaryColumn& column) {
  const QByteArray title = QByteArray::fromStdString(std::string(column.title));
  return QCoreApplication::translate("ulp::views::SummaryTitle", title.constData());
}

}  // namespace ulp::views
