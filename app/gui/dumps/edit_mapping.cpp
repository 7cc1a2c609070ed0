#include "app/gui/dumps/edit_mapping.h"

#include <algorithm>
#include <utility>

#include "core/analysis/mapping/site_mapping.h"
#include "core/report/model/one_dump.h"
#include "views/framework/workspace/recently_opened.h"
#include "views/framework/workspace/workspace.h"
#include "views/mapping/mapping_editor.h"

namespace ulp::app {
namespace {

/// The editor of one comparison, whose mapping changes while it is made again.
class ComparisonEditor : public views::MappingEditor {
 public:
  ComparisonEditor(report::DumpOrigin origin,
                   const analysis::SiteMapping& mapping,
                   const views::ViewContext& context,
                   QWidget* parent)
      : MappingEditor(
            views::mappingSourceOf(origin), mapping, context.background, context.themes, parent),
        m_origin(std::move(origin)) {
    setAttribute(Qt::WA_DeleteOnClose);
  }

  [[nodiscard]] const report::DumpOrigin& compared() const { return m_origin; }
  [[nodiscard]] report::DumpOrigin origin() const {
    report::DumpOrigin origin = m_origin;
    origin.mapping = mapping().toYaml();
    return origin;
  }

 private:
  report::DumpOrigin m_origin;
};

/// The one that is on the screen already.
ComparisonEditor* editorOf(const report::DumpOrigin& origin, const QWidget& parent) {
  for (auto* editor : parent.findChildren<views::MappingEditor*>()) {
    auto* found = dynamic_cast<ComparisonEditor*>(editor);
    if (found != nullptr && found->isVisible() && views::isOfSameDumps(found->compared(), origin)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

const report::DumpOrigin* comparedDumps(const views::ReportSet& reports) {
  if (reports.sources().empty()) {
    return nullptr;
  }
  const auto& dumps = reports.sources().front().loaded.report->dumps;
  return dumps && !report::isOneDump(*dumps) ? &*dumps : nullptr;
}

bool hasUnsavedMapping(const QWidget& parent) {
  return std::ranges::any_of(parent.findChildren<views::MappingEditor*>(),
                             [](const views::MappingEditor* editor) {
                               return editor->isVisible() && editor->hasUnsavedEdits();
                             });
}

void editMapping(const views::ViewContext& context, QWidget* parent) {
  const report::DumpOrigin* dumps = comparedDumps(context.workspace.reports);
  if (dumps == nullptr) {
    return;
  }
  if (ComparisonEditor* open = editorOf(*dumps, *parent)) {
    open->raise();
    open->activateWindow();
    return;
  }
  const auto mapping = analysis::SiteMapping::parse(dumps->mapping, "mapping of the report");
  if (!context.workspace.messages.settle(mapping, QStringLiteral("edit-mapping"))) {
    return;
  }
  auto* editor = new ComparisonEditor(*dumps, *mapping, context, parent);
  QObject::connect(editor,
                   &views::MappingEditor::applied,
                   &context.workspace.requests,
                   [editor, &requests = context.workspace.requests] {
                     requests.compareDumps(editor->origin());
                   });
  editor->show();
}

}  // namespace ulp::app
