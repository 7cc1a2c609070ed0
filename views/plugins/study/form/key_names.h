#pragma once

#include <vector>

#include <QtCore/QStringList>

#include "core/study/schema/schema.h"

namespace ulp::views {

/// A heading of the form with the keys below it, in the order of the schema.
struct KeySection {
  QString title;
  QString hint;  ///< empty: none
  std::vector<const study::Key*> keys;
};

/// Every key of the schema, once. Keys of one subject lie together, wherever the schema has them.
[[nodiscard]] std::vector<KeySection> keySections();

/// "Residual dtype" for precision.residual_dtype, in the language of the window.
[[nodiscard]] QString keyName(const study::Key& key);
/// Lists the values that a key may have; empty: any of its type.
[[nodiscard]] QStringList choiceTexts(const study::Key& key);
/// Writes type, range or choices, and default of a key below its help.
[[nodiscard]] QString keyToolTip(const study::Key& key);

}  // namespace ulp::views
