#pragma once

#include "core/query/rows/recording_kind.h"
#include "widgets/controls/dock_area.h"
#include "widgets/workspace/view_context.h"
#include "widgets/workspace/view_kind.h"

#include <QJsonObject>
#include <QSplitter>
#include <QWidget>

namespace helio {

/// The docks around the time panels: right (two, one above the other) and bottom. Where the window is narrow, the right ones are tabs
/// of the bottom one.
class WindowDocks : public QWidget {
    Q_OBJECT

public:
    static constexpr int NarrowWidth = 1280;

    /// `centre` becomes its child, in the middle: the time panels.
    WindowDocks(ViewContext& context, QWidget* centre, QWidget* parent = nullptr);

    /// Brings a view to the front, opening its dock; false where there is none of that id.
    bool show(const QString& id, bool takesFocus = true);
    /// Takes the tabs of what has one on demand away again.
    void hideOnDemand();
    QWidget* view(const QString& id) const { return m_views.value(id); }
    QStringList views() const { return m_order; }
    /// Id of the view that the widget is a part of; empty if none.
    QString viewAround(const QWidget* widget) const;
    /// Id of the view in front of the bottom docks.
    QString frontView() const { return m_bottom->current(); }

    void setSideShown(bool isShown);
    void setBottomShown(bool isShown);
    bool isSideShown() const { return m_wantsSide; }
    bool isBottomShown() const { return m_wantsBottom; }
    bool isNarrow() const { return m_isNarrow; }

    /// Gives the room to what such a recording has to show, and brings that to the front: as it was laid out last (`remembered`, of
    /// layoutState()), else by default.
    void setKind(RecordingKind kind, const QJsonObject& remembered);
    /// That the time panels need for their rows: where states are not the matter they get no more. `useful`: that they are of use in, which
    /// they get even where it is more than their usual share.
    void setCentreHeight(int height, int useful);

    QJsonObject layoutState() const;
    void restoreLayoutState(const QJsonObject& state);
    /// The choices of the views, as sessions keep them beside the layout.
    QJsonObject viewStates() const;
    void restoreViewStates(const QJsonObject& states);

signals:
    void shownChanged();

private:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void addViews(ViewContext& context);
    void setNarrow(bool isNarrow);
    void sizeOnce();
    void setDefaultSizes();
    void setDefaultHeights();
    void setDefaultSide();
    void update();
    DockArea* homeOf(const QString& id) const;

    QSplitter* m_across;
    QSplitter* m_down;
    QSplitter* m_side;
    DockArea* m_rightTop;
    DockArea* m_rightBottom;
    DockArea* m_bottom;
    QHash<QString, QWidget*> m_views;
    QHash<QString, const ViewKind*> m_kinds;
    QStringList m_order;
    bool m_wantsSide = true;
    bool m_wantsBottom = true;
    bool m_isNarrow = false;
    bool m_isSized = false;
    bool m_isDownByHand = false; ///< A person set the height of the bottom docks.
    RecordingKind m_kind = RecordingKind::States;
    int m_centreHeight = 0;
    int m_usefulCentre = 0;
};

} // namespace helio
