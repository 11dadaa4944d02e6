#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QLineEdit>

class QLabel;

namespace helio {

using FunctionMatcher = std::function<bool(const SampledFunction&)>;

/// Returns a predicate for functions with `text` in their label, ignoring case. It rejects threads and commands.
FunctionMatcher makeFunctionMatcher(const QString& text);

/// Search field of a flame graph: highlights the frames with a matching function and shows their sum. Esc clears the field and sets the
/// focus to the graph.
/// Ownership: owned by its parent; the graph outlives it.
/// Threads: UI thread.
class FlameSearch : public QLineEdit {
    Q_OBJECT

public:
    /// Function that returns the share of the found frames in all frames, e.g. "58.0 %". `sum` is the result of FlameView::setMatcher().
    /// Only called while the graph has content.
    using Words = std::function<QString(const SampleSum& sum, const FunctionMatcher& matches)>;

    FlameSearch(FlameView& graph, Words words, QWidget* parent = nullptr);

    /// Label with the result of the search, e.g. the share of the found frames. It is inside of the search field or beside it.
    QLabel* foundLabel() const { return m_found; }
    QString found() const;
    /// Shows a magnifier at the beginning of the field, and foundLabel() at its end. Without a call of this function, the caller must place
    /// foundLabel() beside the field.
    void placeInField();

    /// Repeats the search. Must be called when the content of the graph changed.
    void refresh();

signals:
    void left(); ///< Emitted when the user pressed Esc.

private:
    bool event(QEvent* event) override;

    FlameView& m_graph;
    Words m_words;
    QLabel* m_found;
};

} // namespace helio
