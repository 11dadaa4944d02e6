#pragma once

#include <QWidget>

namespace helio {

/// A view with its own search field for its contents.
class Searchable {
public:
    virtual ~Searchable() = default;

    virtual void focusSearch() = 0;
};

/// Returns the view that contains `widget`; nullptr if there is none.
inline Searchable* searchableAround(QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (auto* view = dynamic_cast<Searchable*>(widget))
            return view;
    return nullptr;
}

} // namespace helio
