#pragma once

#include "app/compare/comparison_file.h"
#include "app/window/experiment_pane.h"
#include "app/window/program_theme.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/side_look.h"

#include <QMainWindow>

#include <array>

namespace helio {

class Actions;
class ComparisonDocks;
class HeaderBar;
class SelectedRows;
class SideFrame;
class SideNames;
class SideStacks;
class StatusBar;
class WindowPalette;

/// Two experiments, A above B under one ruler; below, what differs and why B took longer. Owns the panes of both. UI thread.
class CompareWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit CompareWindow(QWidget* parent = nullptr);
    ~CompareWindow() override;

    /// Opens the two sides, and goes where the comparison was left. Clocks are what the options say of both, else what the comparison does.
    void open(const Comparison& comparison, const ExperimentOptions& options);
    /// As it is now.
    Comparison comparison() const;

    CompareContext& context() { return m_context; }
    Session& session(Side side) { return pane(side).session(); }

private:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

    struct Parts {
        std::unique_ptr<ExperimentPane> pane;
        SideFrame* overview = nullptr;
    };

    Parts& part(Side side) { return m_sides[std::size_t(side)]; }
    ExperimentPane& pane(Side side) const { return *m_sides[std::size_t(side)].pane; }
    ViewContext& contextOf(Side side) { return m_context.side(side); }

    ExperimentPane& current();
    Parts sideOf(Side side);
    void setBeside(bool isBeside);
    void filterThreads();
    void wireSide(Side side);
    void placeOnce();
    void updateFormats();
    void updateTitles();
    void updateNote();
    void updateProgress();

    // compare_window_actions.cpp: what the actions do.
    void makeMenus();
    void bindFileActions();
    void bindViewActions();
    void bindGoActions();
    void bindAlignActions();
    void bindCompareActions();
    void makePalette();
    void sayWhereTheLaneIs(); ///< Which needs one axis for both.
    void save(const QString& path);

    ProgramTheme m_theme; ///< First: what is made after it is made in its colours.
    Settings m_settings;
    HeaderBar* m_header;
    SideNames* m_names;
    StatusBar* m_status;
    std::array<Parts, 2> m_sides;
    CompareContext m_context;
    Actions* m_actions;
    WindowPalette* m_palette = nullptr;
    AlignmentControl* m_alignment;
    ComparisonDocks* m_docks;
    SideStacks* m_stacks;
    Comparison m_pending; ///< Where to go once both sides are known.
    ExperimentOptions m_options;
    QString m_path; ///< Of its file; empty: not saved yet.
    bool m_isPlaced = false;
    bool m_isLow = false; ///< The window.
    std::unique_ptr<SelectedRows> m_selected;
};

/// Opens a window of its own on it, which deletes itself when it is closed.
void showComparison(const Comparison& comparison, const ExperimentOptions& options);

} // namespace helio
