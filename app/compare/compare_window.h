#pragma once

#include "app/desktop_theme.h"
#include "app/session.h"
#include "app/settings.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/side_look.h"

#include <QMainWindow>

#include <array>

class QAction;

namespace helio {

class AlignmentControl;
class AlignmentGutter;
class DockArea;
class HeaderBar;
class SideFrame;
class StatusBar;
class TimeArea;
class WhySlowerView;

/// Two experiments, A above B under one ruler; below, what differs and why B took longer. Owns both sessions. UI thread.
class CompareWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit CompareWindow(QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// Opens the two sides.
    void open(const QStringList& a, const QStringList& b, const ExperimentOptions& options);

    CompareContext& context() { return m_context; }
    Session& session(Side side) { return *m_sides[std::size_t(side)].session; }

private:
    void resizeEvent(QResizeEvent* event) override;

    struct Parts {
        Session* session = nullptr;
        TimeArea* area = nullptr;
        SideFrame* overview = nullptr;
        SideFrame* stack = nullptr;
    };

    Parts& part(Side side) { return m_sides[std::size_t(side)]; }
    ViewContext& contextOf(Side side) { return m_context.side(side); }

    TimeArea& current();
    void makeSide(Side side);
    QWidget* makeStacks();
    void makeMenus();
    void makeAlignMenu();
    QAction* addAction(const QString& menu, const QString& text, const QString& shortcut, std::function<void()> run);
    void wireSide(Side side);
    void placeCursorOnce();
    void updateFormats();
    void updateTitles();
    void updateStatus();
    void updateProgress();
    void selectMatch(Side from);
    void updateTheme();

    Settings m_settings;
    DesktopTheme m_desktop;
    CompareContext m_context;
    std::array<Parts, 2> m_sides;
    HeaderBar* m_header;
    StatusBar* m_status;
    AlignmentControl* m_alignment;
    DockArea* m_lower = nullptr;
    DockArea* m_side = nullptr;
    WhySlowerView* m_why = nullptr;
    AlignmentGutter* m_gutter = nullptr;
    QAction* m_linked = nullptr;
    bool m_isPlaced = false; ///< The cursor, once both sides were known.
    bool m_isSelecting = false;
};

} // namespace helio
