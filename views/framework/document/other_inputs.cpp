#include "views/framework/document/other_inputs.h"

#include <map>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

struct OtherInputsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::OtherInputs)
};

/// "loss.type, loss.seed, …".
QString namedSettings(const std::vector<std::string>& settings) {
  constexpr qsizetype kNamed = 3;
  QStringList names = textsOf(settings);
  if (names.size() > kNamed) {
    names = names.mid(0, kNamed) << QStringLiteral("…");
  }
  return names.join(QStringLiteral(", "));
}

}  // namespace

QString otherInputsText(const analysis::OtherInputs& inputs, const QString& baseline) {
  QStringList parts;
  if (inputs.tokens) {
    parts << OtherInputsWords::tr("other tokens");
  }
  if (inputs.weights) {
    parts << OtherInputsWords::tr("other weights");
  }
  if (!inputs.settings.empty()) {
    parts << OtherInputsWords::tr("other settings of the study (%1)")
                 .arg(namedSettings(inputs.settings));
  }
  return parts.isEmpty()
             ? QString()
             : OtherInputsWords::tr("%1 than %2").arg(parts.join(QStringLiteral(", ")), baseline);
}

QString otherInputsText(const ReportDocument& document, int variant) {
  return variant < 0 ? QString()
                     : otherInputsText(document.otherInputs(variant),
                                       document.baselineOf(document.variantName(variant)));
}

QString otherInputsText(const ReportDocument& document) {
  std::map<QString, QStringList> runsBy;
  for (int variant = 0; variant < document.variantCount(); ++variant) {
    const QString text = otherInputsText(document, variant);
    if (!text.isEmpty()) {
      runsBy[text] << document.variantName(variant);
    }
  }
  QStringList sentences;
  for (const auto& [text, runs] : runsBy) {
    sentences << OtherInputsWords::tr("%1: %2; what differs is not precision alone")
                     .arg(runs.join(QStringLiteral(", ")), text);
  }
  return sentences.join(QStringLiteral(" · "));
}

}  // namespace ulp::views
