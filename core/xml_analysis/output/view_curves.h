#pragma once

#include "core/store/store.h"
#include "core/xml_analysis/output/path_watch.h"
#include "core/xml_analysis/output/view_attributes.h"
#include "core/xml_analysis/running/attribute_marks.h"
#include "core/xml_analysis/running/attribute_tree.h"

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio::xml {

/// The series of an xyView that show one analysis's tree: one for each attribute that its entry leads to. One thread.
///
/// A value that became null is 0, as is a text that is no number.
class ViewCurves {
public:
    /// All of them outlive it.
    ViewCurves(const View& view, const std::string& analysis, const AttributeTree& tree, PathWatch& paths, StateSink& sink);

    void onChange(HostTimestamp from, Quark attribute, const Value& value)
    {
        m_attributes.onChange(attribute, value);
        if (m_used.has(attribute))
            takeAll(from, attribute, value);
    }

    void finish();

private:
    /// What a series got last: at one time the last value counts.
    struct Point {
        HostTimestamp at;
        Value value;
    };
    struct Series {
        Quark attribute = NoQuark;
        std::string id;
        std::string title;
        std::optional<CounterSeriesId> series; ///< Once it has a value.
        bool isReal = false;
        bool hasName = false; ///< The first one counts.
        std::optional<Point> last;
    };
    enum class Part { Display, Name };
    struct Use {
        Part part;
        Series* series;
    };

    void add(Quark attribute);
    void use(const std::optional<ViewAttribute>& attribute, Series& series, Part part);
    void flush(Series& series);
    void takeAll(HostTimestamp from, Quark attribute, const Value& value);
    void take(HostTimestamp from, const Value& value, const Use& use);

    const View& m_view;
    const std::string m_analysis;
    const AttributeTree& m_tree;
    PathWatch& m_paths;
    ViewAttributes m_attributes;
    StateSink& m_sink;
    std::deque<Series> m_series;
    std::unordered_map<Quark, std::vector<Use>> m_uses;
    AttributeMarks m_used; ///< Those in m_uses.
};

} // namespace helio::xml
