#pragma once

#include <string>

#include <QtCore/QString>

#include "core/base/text/elided.h"

namespace ulp::views {

/// Text of a button, a menu or a tick box that shows a name as it is: "&" there marks a key.
[[nodiscard]] inline QString literalText(QString name) {
  return name.replace(QLatin1Char('&'), QLatin1String("&&"));
}

/// Title of a window that shows a name as it is: Qt puts a mark in the place of "[*]".
[[nodiscard]] inline QString literalTitle(QString name) {
  return name.replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
}

/// A name within a line of text: of a very long one both ends.
[[nodiscard]] inline QString shortName(const std::string& name) {
  constexpr std::size_t kMost = 256;
  return QString::fromStdString(elided(name, kMost));
}

}  // namespace ulp::views
