#pragma once

#include <algorithm>

#include <QtCore/QString>
#include <QtGui/QFontMetrics>
#include <QtGui/QScreen>
#include <QtWidgets/QDialog>
#include <QtWidgets/QFormLayout>
#include <QtWidgets/QLineEdit>

namespace ulp::app {

/// Adds a row with a new field, called `id` in tests and by its name for who cannot see it. `name`
/// may have a mnemonic. The form's widget owns the field.
template <class Field>
Field* addRow(QFormLayout& form, const char* id, const QString& name) {
  auto* field = new Field(form.parentWidget());
  field->setObjectName(QLatin1String(id));
  field->setAccessibleName(QString(name).remove(QLatin1Char('&')));
  form.addRow(name, field);
  return field;
}

/// The width at which a dialog shows what its empty lines say, where the screen has so much.
[[nodiscard]] inline int widthForPlaceholders(const QDialog& dialog) {
  int lack = 0;
  for (const QLineEdit* line : dialog.findChildren<QLineEdit*>()) {
    // The usual width is that of 17 letters, and what stands around them.
    constexpr int kUsual = 17;
    const QFontMetrics metrics(line->font());
    const int usual = kUsual * metrics.horizontalAdvance(QLatin1Char('x'));
    lack = std::max(lack, metrics.horizontalAdvance(line->placeholderText()) - usual);
  }
  const int wanted = dialog.sizeHint().width() + lack;
  const QScreen* screen = dialog.screen();
  return screen == nullptr ? wanted : std::min(wanted, screen->availableGeometry().width());
}

}  // namespace ulp::app
