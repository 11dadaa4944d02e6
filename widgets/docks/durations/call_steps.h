#pragma once

#include "widgets/docks/durations/call_list_model.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QToolButton;

namespace helio {

class ViewContext;

/// Steps through the calls of a bar: a strip that shows where they are, buttons for the previous and the next call, and one that zooms
/// until all are in view.
/// Threads: UI thread.
class CallSteps : public QWidget {
    Q_OBJECT

public:
    explicit CallSteps(ViewContext& context, QWidget* parent = nullptr);

    /// Sets the calls and the index of the current call; hidden if `calls` is nullptr.
    void setCalls(std::shared_ptr<const ListedCalls> calls, std::optional<std::size_t> current);

signals:
    void stepped(std::size_t call); ///< The user chose the call with this index.

private:
    void step(int by);
    void showIcons();
    void zoomToAll();

    ViewContext& m_context;
    std::shared_ptr<const ListedCalls> m_calls; ///< nullptr if none are shown.
    std::optional<std::size_t> m_current;
    QPushButton* m_showAll;
    QToolButton* m_previous;
    QLabel* m_place;
    QToolButton* m_next;
};

} // namespace helio
