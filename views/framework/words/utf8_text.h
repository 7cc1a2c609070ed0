#pragma once

#include <string_view>

#include <QtCore/QString>

namespace ulp::views {

[[nodiscard]] inline QString utf8Text(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace ulp::views
