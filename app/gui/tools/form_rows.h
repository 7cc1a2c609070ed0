#pragma once

#include <QtCore/QString>
#include <QtWidgets/QDialog>
#include <QtWidgets/QFormLayout>

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
[[nodiscard]] int widthForPlaceholders(const QDialog& dialog);

}  // namespace ulp::app
