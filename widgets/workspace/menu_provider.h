#pragma once

class QMenu;

namespace helio {

/// A view with menus that the command palette offers as well.
class MenuProvider {
public:
    virtual ~MenuProvider() = default;

    /// Fills `menu` with the current items of the view's menus. They are valid until the next call.
    virtual void fillOfferedMenus(QMenu& menu) = 0;
};

} // namespace helio
