#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Example expression for the hint of an input field. It matches events of the open traces. Until their events are known, or if no trace is
/// open, it is a general example.
/// Ownership: owned by the view with the input field.
/// Threads: UI thread.
class ExampleHint {
public:
    /// Calls `show` at once with the current example, and again each time the example changes.
    /// Ownership: `context` must outlive this object.
    ExampleHint(ViewContext& context, std::function<void(const QString& example)> show);

private:
    void ask();
    void take(const QString& example);

    ViewContext& m_context;
    std::function<void(const QString&)> m_show;
    QString m_shown;
    DebouncedQuery m_answer;
};

} // namespace helio
