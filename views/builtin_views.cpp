#include "views/framework/view/view_registry.h"

namespace ulp::views {

ViewRegistry builtinViews() {
  ViewRegistry registry;
  registerBuiltin(registry);
  return registry;
}

}  // namespace ulp::views
