#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <QtCore/QStringList>

namespace ulp::views {

[[nodiscard]] inline QString utf8Text(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Makes a list of Qt of texts in UTF-8.
[[nodiscard]] inline QStringList textsOf(const std::vector<std::string>& texts) {
  QStringList made;
  std::ranges::transform(texts, std::back_inserter(made), &QString::fromStdString);
  return made;
}

}  // namespace ulp::views
