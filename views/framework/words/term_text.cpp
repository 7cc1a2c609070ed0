#include "views/framework/words/term_text.h"

#include <array>

#include <QtCore/QCoreApplication>

#include "core/base/site.h"
#include "core/report/summary/summary.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

/// What planCounterfactuals() says in causes and changes that are no values of settings.
constexpr std::array kTerms{
    QT_TRANSLATE_NOOP(
        "ulp::views::Term",
        "the rotary tables, whose frequencies (inv_freq) precision.cast: module rounds"),
    QT_TRANSLATE_NOOP("ulp::views::Term", "the frequencies kept in float32"),
    QT_TRANSLATE_NOOP("ulp::views::Term", "the formats at %1"),
    QT_TRANSLATE_NOOP("ulp::views::Term", "those of the baseline there alone")};

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

}  // namespace

QString termText(const std::string& english) {
  const QString text = QString::fromStdString(english);
  for (const char* term : kTerms) {
    const QStringList around = QString::fromLatin1(term).split(QStringLiteral("%1"));
    const QString translated = QCoreApplication::translate("ulp::views::Term", term);
    if (around.size() == 1 && text == around.front()) {
      return translated;
    }
    if (around.size() == 2 && text.startsWith(around.front()) && text.endsWith(around.back())) {
      return translated.arg(text.sliced(around.front().size()).chopped(around.back().size()));
    }
  }
  for (const Pass pass : kPasses) {
    const QString behind = QStringLiteral(", ") + englishPass(pass);
    if (text.endsWith(behind)) {
      return text.chopped(behind.size()) + QStringLiteral(", ") + passText(pass);
    }
  }
  return text;
}

QString summaryTitle(const report::SummaryColumn& column) {
  const QByteArray title = QByteArray::fromStdString(std::string(column.title));
  return QCoreApplication::translate("ulp::views::SummaryTitle", title.constData());
}

}  // namespace ulp::views
