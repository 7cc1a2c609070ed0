#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <QtCore/QString>
#include <QtGui/QKeySequence>

#include "views/framework/view/view.h"

namespace ulp::views {

/// Where a view stands until the user moves it.
enum class ViewArea : std::uint8_t { Centre, Right, Bottom };

/// What a view is there for, so that the window can bring up the right one without knowing it.
enum class ViewPurpose : std::uint8_t {
  Other,
  Report,
  Dump,
  Study,
  Queue,
  Reports,
  Bookmarks,
  Rules
};

/// What of a report is drawn without a window, as by the command line.
struct DrawRequest {
  QString what;    ///< one of ViewDescriptor::subjects
  QString metric;  ///< id, in the report
  PassFilter shown = PassFilter::ForwardBackward;
  DocumentPtr document;      ///< all of it, with the styles of its variants
  report::ReportPtr chosen;  ///< the variants that were asked for, and the reference
  std::string variant{};     ///< of these the one that is shown where one is; empty: the first
  bool isOnPage = false;     ///< of a whole report: what repeats its depth charts is NotFound
};

/// The layouts that the window brings: for writing studies, for reading reports, and for single
/// tensors.
enum class ViewLayout : std::uint8_t { Configure, Analyse, Inspect };

/// In which of them a view has a place.
struct ViewLayouts {
  bool configure = false;
  bool analyse = true;
  bool inspect = false;

  [[nodiscard]] bool has(ViewLayout layout) const {
    return layout == ViewLayout::Configure ? configure
           : layout == ViewLayout::Inspect ? inspect
                                           : analyse;
  }
};

/// What the window knows of a view before it makes it.
struct ViewDescriptor {
  QString id;  ///< stable: settings and layouts name it
  QString title;
  QString toolTip;
  QString icon;  ///< name in resources/icons
  QKeySequence shortcut;
  ViewArea area = ViewArea::Centre;
  int order = 0;  ///< within its area
  ViewPurpose purpose = ViewPurpose::Other;
  bool shownAtStart = true;  ///< false: only once something or somebody asks for it
  int drillLevel = 0;        ///< Enter goes to the view of the next higher level; 0: not on the way
  ViewLayouts layouts;
  bool listsTensors = false;  ///< every tensor of a report has a place in it
  QStringList proves{};       ///< rules of findings whose proof it shows; others: the depth view
  bool hasViewport = false;   ///< its zoom can be linked with that of others of its kind
  std::function<std::unique_ptr<View>(const ViewContext&)> make{};
  QStringList subjects{};  ///< ids of the exhibits that `draw` makes
  QStringList printed{};   ///< those of them that whole reports hold, where a report has them
  /// An exhibit that stays valid on its own; called on any thread. Empty: the view draws nothing
  /// without a window. Errors: NotFound where the report has nothing to show.
  std::function<Result<Exhibit>(const DrawRequest&)> draw{};
};

/// A view can have several tabs: "depth" of the second one's id, "depth#2".
[[nodiscard]] QString registeredId(const QString& tabId);
[[nodiscard]] QString tabId(const QString& registeredId, int number);

/// All views, by area and order. A value that the application and the tests make and pass on.
class ViewRegistry {
 public:
  void add(ViewDescriptor descriptor);
  /// Adds a view that is made by its constructor.
  template <class MadeView>
  void add(ViewDescriptor descriptor) {
    descriptor.make = [](const ViewContext& context) {
      return std::make_unique<MadeView>(context);
    };
    add(std::move(descriptor));
  }
  [[nodiscard]] const std::vector<ViewDescriptor>& all() const { return m_views; }
  [[nodiscard]] const ViewDescriptor* find(const QString& id) const;
  /// The view that draws a subject; null: none.
  [[nodiscard]] const ViewDescriptor* findSubject(const QString& subject) const;
  /// The first view for a purpose; null: none.
  [[nodiscard]] const ViewDescriptor* findPurpose(ViewPurpose purpose) const;
  /// The view that shows the proof of a rule's findings: the one that names it, else where Enter
  /// leads from the overview; null: none.
  [[nodiscard]] const ViewDescriptor* findProof(const QString& rule) const;
  /// The first view that has a place for every tensor; null: none.
  [[nodiscard]] const ViewDescriptor* findTensorList() const;
  /// Where Enter leads from `level`; null: nowhere.
  [[nodiscard]] const ViewDescriptor* deeperThan(int level) const;

 private:
  /// The first one that fits; null: none.
  [[nodiscard]] const ViewDescriptor* findIf(
      const std::function<bool(const ViewDescriptor&)>& fits) const;

  std::vector<ViewDescriptor> m_views;
};

/// Defined by the build from the folders of views/plugins.
void registerBuiltin(ViewRegistry& registry);
[[nodiscard]] ViewRegistry builtinViews();

}  // namespace ulp::views
