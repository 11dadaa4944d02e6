#pragma once

class QMenu;

namespace helio {

/// A view with menus that the command palette offers as well.
class MenuOffer {
public:
    virtual ~MenuOffer() = default;

    /// Fills `menu` with the current items of the view's menus. They are valid until the next call.
    virtual void offerMenus(QMenu& menu) = 0;
};

} // namespace helio
