#include "widgets/style/compositing.h"

#include <QGuiApplication>

#ifdef HELIO_HAS_XCB
#include <cstdlib>
#include <memory>
#include <xcb/xcb.h>
#endif

namespace helio {

#ifdef HELIO_HAS_XCB

namespace {

struct Free {
    void operator()(void* reply) const { std::free(reply); }
};

/// True if a compositing manager owns the selection _NET_WM_CM_Sn of its screen (Extended Window Manager Hints 1.5, "Compositing
/// Managers").
bool hasManager(xcb_connection_t* display)
{
    static constexpr char Name[] = "_NET_WM_CM_S0";
    using Atom = std::unique_ptr<xcb_intern_atom_reply_t, Free>;
    using Owner = std::unique_ptr<xcb_get_selection_owner_reply_t, Free>;
    const Atom atom(xcb_intern_atom_reply(display, xcb_intern_atom(display, 0, sizeof Name - 1, Name), nullptr));
    if (!atom)
        return false;
    const Owner owner(xcb_get_selection_owner_reply(display, xcb_get_selection_owner(display, atom->atom), nullptr));
    return owner && owner->owner != XCB_NONE;
}

} // namespace

bool isComposited()
{
    static const bool isIt = [] {
        const auto* x11 = qGuiApp ? qGuiApp->nativeInterface<QNativeInterface::QX11Application>() : nullptr;
        // Qt's offscreen platform has the native interface of X11, but no display.
        xcb_connection_t* display = x11 ? x11->connection() : nullptr;
        return !display || hasManager(display);
    }();
    return isIt;
}

#else

bool isComposited() { return QGuiApplication::platformName() != QLatin1String("xcb"); }

#endif

} // namespace helio
