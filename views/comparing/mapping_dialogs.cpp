#include "views/comparing/mapping_dialogs.h"

#include <QtCore/QCoreApplication>

#include "views/framework/widgets/file_dialog.h"

namespace ulp::views {
namespace {

struct MappingDialogsWords {
  Q_DECLARE_TR_FUNCTIONS(MappingDialogs)
};

QString mappings() {
  return MappingDialogsWords::tr("Mappings (*.yaml *.yml)");
}

}  // namespace

void askForMapping(QWidget* parent, const std::function<void(const QString& path)>& chosen) {
  askForFile(parent,
             {.title = MappingDialogsWords::tr("Load a mapping of names"),
              .filters = {mappings(), MappingDialogsWords::tr("All files (*)")}},
             chosen);
}

void askWhereToSaveMapping(QWidget* parent,
                           const std::function<void(const QString& path)>& chosen) {
  askForFile(parent,
             {.title = MappingDialogsWords::tr("Save the mapping of names"),
              .wanted = FileWanted::New,
              .filters = {mappings()},
              .suggested = QStringLiteral("mapping.yaml"),
              .suffix = QStringLiteral("yaml")},
             chosen);
}

}  // namespace ulp::views
