#pragma once

class QMenu;

namespace helio {

/// A view whose own menus are found in the command palette, too.
class MenuOffer {
public:
    virtual ~MenuOffer() = default;

    /// Fills a menu with what they offer now. Its lines may be used until the next call.
    virtual void offerMenus(QMenu& menu) = 0;
};

} // namespace helio
