#pragma once

#include "widgets/async/debounced_query.h"
#include "widgets/workspace/view_context.h"

namespace helio {

/// Example expression for the open events, for the hint of an input field. A general example until the events are known, or if no trace is
/// open.
/// Ownership: the view with the field.
/// Threads: UI thread.
class ExampleHint {
public:
    /// `show` is called at once, and each time the example changes.
    /// Ownership: the context outlives it.
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
