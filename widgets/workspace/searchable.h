#pragma once

#include <QWidget>

namespace helio {

/// A view with a search field of its own, for what it alone shows.
class Searchable {
public:
    virtual ~Searchable() = default;

    virtual void focusSearch() = 0;
};

/// The one that a widget lies in; null: none.
inline Searchable* searchableAround(QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (auto* view = dynamic_cast<Searchable*>(widget))
            return view;
    return nullptr;
}

} // namespace helio
