#pragma once

#include <vector>

#include <QtCore/QString>

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

}  // namespace ulp::views
