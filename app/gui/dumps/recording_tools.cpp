#include "app/gui/dumps/recording_tools.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/comparing/align/dump_sides.h"

namespace ulp::app {
namespace {

struct RecordingToolsWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::app::RecordingTools)
};

}  // namespace

QString recordingTools() {
  QStringList tools;
  for (const std::string& tool : analysis::recordingTools()) {
    tools << QString::fromStdString(tool);
  }
  return tools.join(RecordingToolsWords::tr(", "));
}

}  // namespace ulp::app
