#pragma once

#include "widgets/flame/view/flame_view.h"

#include <QLineEdit>

class QLabel;

namespace helio {

using FunctionMatcher = std::function<bool(const SampledFunction&)>;

/// Matches functions with `text` in their label, ignoring case. Threads and commands never match.
FunctionMatcher makeFunctionMatcher(const QString& text);

/// Search field of a flame graph: colours the frames with a matching function and shows their sum. Esc clears the field and focuses the
/// graph. Ownership: its parent; the graph outlives it. Threads: UI thread.
class FlameSearch : public QLineEdit {
    Q_OBJECT

public:
    /// Returns the share of the found frames in all, e.g. "58.0 %". `sum` is the result of FlameView::setMatcher(). Called while the graph
    /// has content.
    using Words = std::function<QString(const SampleSum& sum, const FunctionMatcher& matches)>;

    FlameSearch(FlameView& graph, Words words, QWidget* parent = nullptr);

    /// Label of found(), to be placed inside of the field or beside it.
    QLabel* foundLabel() const { return m_found; }
    QString found() const;
    /// Places a magnifier at the beginning of the field and the label at its end. Without this call the caller places the label.
    void holdAll();

    /// To be called when the graph's content changed.
    void refresh();

signals:
    void left(); ///< The user pressed Esc.

private:
    bool event(QEvent* event) override;

    FlameView& m_graph;
    Words m_words;
    QLabel* m_found;
};

} // namespace helio
