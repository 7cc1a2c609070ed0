#include "views/comparing/mapping_dialogs.h"

#include <QtCore/QCoreApplication>
#include <QtWidgets/QFileDialog>

namespace ulp::views {
namespace {

QString mappings() {
  return QCoreApplication::translate("MappingDialogs", "Mappings (*.yaml *.yml)");
}

/// Shown by the caller's open(); goes when it is closed.
QFileDialog* makeDialog(QWidget* parent,
                        const QString& title,
                        const std::function<void(const QString& path)>& chosen) {
  auto* dialog = new QFileDialog(parent, title);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, chosen);
  return dialog;
}

}  // namespace

void askForMapping(QWidget* parent, const std::function<void(const QString& path)>& chosen) {
  QFileDialog* dialog = makeDialog(
      parent, QCoreApplication::translate("MappingDialogs", "Load a mapping of names"), chosen);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilters(
      {mappings(), QCoreApplication::translate("MappingDialogs", "All files (*)")});
  dialog->open();
}

void askWhereToSaveMapping(QWidget* parent,
                           const std::function<void(const QString& path)>& chosen) {
  QFileDialog* dialog = makeDialog(
      parent, QCoreApplication::translate("MappingDialogs", "Save the mapping of names"), chosen);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("yaml"));
  dialog->setNameFilter(mappings());
  dialog->selectFile(QStringLiteral("mapping.yaml"));
  dialog->open();
}

}  // namespace ulp::views
