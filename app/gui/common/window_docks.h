#pragma once

#include "core/query/rows/recording_kind.h"
#include "widgets/controls/dock_area.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_kind.h"

#include <QJsonObject>
#include <QPointer>
#include <QSet>
#include <QSplitter>
#include <QWidget>

namespace helio {

class SideRail;
class ViewPopup;

/// The docks around the time panels: two at the right, one above the other, and one at the bottom; and the popups below buttons of the
/// header. A narrow window has a rail of icons instead of the docks at the right; an icon opens its view over the time panels. Views
/// without content have no tab unless the user requests them.
class WindowDocks : public QWidget {
    Q_OBJECT

public:
    static constexpr int NarrowWidth = 1360; ///< Width of the window in pixels below which a rail replaces the docks at the right.

    /// Creates the docks around the time panels, `centre`.
    /// Ownership: `centre` becomes a child of the widget.
    WindowDocks(ViewContext& context, QWidget* centre, QWidget* parent = nullptr);

    /// Opens the dock of a view and brings the view to the front. Returns false if there is no view with the id.
    bool show(const QString& id, bool takesFocus = true);
    /// Cancels the user's request to show a view. The view's tab stays if the view has content; otherwise the tab is removed.
    void closeView(const QString& id);
    /// Sets the button of the header below which the view `id` opens.
    void setAnchor(const QString& id, QWidget* button) { m_anchors[id] = button; }
    QWidget* view(const QString& id) const { return m_views.value(id); }
    QStringList views() const { return m_order; }
    /// Returns the id of the view that contains the widget; empty if none.
    QString viewAround(const QWidget* widget) const;
    /// Returns the id of the current view of the bottom dock.
    QString frontView() const { return m_bottom->current(); }

    void setSideShown(bool isShown);
    void setBottomShown(bool isShown);
    bool isSideShown() const { return m_isNarrow ? m_isOverlayOpen : m_wantsSide; }
    bool isBottomShown() const { return m_wantsBottom; }
    bool isNarrow() const { return m_isNarrow; }

    /// Lays out the docks for a kind of recording. Uses the layout `remembered`, a result of layoutState(); if it is empty, uses the
    /// default layout. Brings the main view of the kind to the front, unless `remembered` has a view for the bottom dock.
    void setKind(RecordingKind kind, const QJsonObject& remembered);
    /// Sets the heights of the time panels in pixels, for recordings without states. `height`: the height at which all rows are visible.
    /// `useful`: if the rows need more than the panels' default share of the window, the panels grow up to this height.
    void setCentreHeight(int height, int useful);

    QJsonObject layoutState() const;
    void restoreLayoutState(const QJsonObject& state);
    /// Returns the states of the views, which sessions store in addition to the layout.
    QJsonObject viewStates() const;
    void restoreViewStates(const QJsonObject& states);

signals:
    void shownChanged();

private:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void addViews(ViewContext& context);
    bool hasContent(const QString& id) const;
    void updateTabs();
    void setNarrow(bool isNarrow);
    void toggleOverlay(const QString& id);
    void placeOverlay();
    void sizeOnce();
    void setDefaultSizes();
    void setDefaultHeights();
    /// True if the time panels get most of the default height, because their rows say more than the bottom docks.
    bool hasLargeCentre() const { return m_kind == RecordingKind::States || m_kind == RecordingKind::Slices; }
    void setDefaultSide();
    void update();
    DockArea* homeOf(const QString& id) const;

    ViewContext& m_context;
    QSplitter* m_across;
    QSplitter* m_down;
    QSplitter* m_side;
    DockArea* m_rightTop;
    DockArea* m_rightBottom;
    DockArea* m_bottom;
    SideRail* m_rail;
    QHash<QString, QWidget*> m_views;
    QHash<QString, ViewPopup*> m_popups; ///< Popups of the views that open below buttons of the header, keyed by view.
    QHash<QString, QPointer<QWidget>> m_anchors; ///< Buttons of the header, keyed by the view that they open.
    QSet<QString> m_requested; ///< Views that the user requested although they had no content.
    QHash<QString, const ViewKind*> m_kinds;
    QStringList m_order;
    bool m_wantsSide = true;
    bool m_wantsBottom = true;
    bool m_isNarrow = false;
    bool m_isOverlayOpen = false; ///< True while a view of the right docks is open over the time panels of a narrow window.
    bool m_isSized = false;
    bool m_hasUserHeight = false; ///< True if the user set the height of the bottom dock.
    RecordingKind m_kind = RecordingKind::States;
    int m_centreHeight = 0;
    int m_usefulCentre = 0;
};

} // namespace helio
