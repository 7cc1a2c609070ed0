#include "views/framework/words/site_text.h"

#include <array>
#include <string>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/summary/noise_floor.h"

namespace ulp::views {
namespace {

struct PassTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::PassText)
};

struct SiteTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::SiteText)
};

/// What report::floorMeaning() says, for the translators.
[[maybe_unused]] constexpr std::array kMeanings{
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "the same again"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "rounding of the reference itself"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another number of threads"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another attention kernel"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "sequences in reverse order")};

/// What a pass is called.
struct WordsOfPass {
  const char* inSentence;
  const char* name;
  const char* caption;
};

/// In the order of Pass.
constexpr std::array<WordsOfPass, kPasses.size()> kPassWords{
    {{QT_TRANSLATE_NOOP("ulp::views::SiteText", "forward"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Forward"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Forward →")},
     {QT_TRANSLATE_NOOP("ulp::views::SiteText", "backward"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Backward"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Backward →")},
     {QT_TRANSLATE_NOOP("ulp::views::SiteText", "parameter gradient"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Parameter gradients"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Parameter gradients")},
     {QT_TRANSLATE_NOOP("ulp::views::SiteText", "optimizer"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Optimizer"),
      QT_TRANSLATE_NOOP("ulp::views::PassText", "Optimizer")}}};

const WordsOfPass& wordsOf(Pass pass) {
  return kPassWords.at(static_cast<std::size_t>(pass));
}

QString joined(const std::vector<std::int64_t>& numbers, const QString& separator) {
  QStringList texts;
  for (const std::int64_t number : numbers) {
    texts << QString::number(number);
  }
  return texts.join(separator);
}

}  // namespace

QString shapeText(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? SiteTextWords::tr("scalar") : joined(shape, QStringLiteral(" × "));
}

QString elementText(const std::vector<std::int64_t>& element) {
  return QStringLiteral("[%1]").arg(joined(element, QStringLiteral(", ")));
}

QString siteText(const Site& site) {
  return QStringLiteral("%1 · %2").arg(QString::fromStdString(site.name), passText(site.pass));
}

QString passText(Pass pass) {
  return SiteTextWords::tr(wordsOf(pass).inSentence);
}

QString passName(Pass pass) {
  return PassTextWords::tr(wordsOf(pass).name);
}

QString passCaption(Pass pass) {
  return PassTextWords::tr(wordsOf(pass).caption);
}

QString runLabel(const QString& run) {
  const std::string meaning(report::floorMeaning(run.toStdString()));
  if (meaning.empty()) {
    return run;
  }
  return QStringLiteral("%1 (%2)").arg(
      run, QCoreApplication::translate("ulp::views::FloorLabel", meaning.c_str()));
}

}  // namespace ulp::views
