#pragma once

// Short functions that return the XML elements of an analysis file for a test.

#include <string>
#include <string_view>

namespace helio::test::xml_text {

inline std::string element(const std::string& name, const std::string& attributes, const std::string& content = {})
{
    const std::string begin = "<" + name + (attributes.empty() ? "" : " ") + attributes;
    return begin + (content.empty() ? "/>" : ">" + content + "</" + name + ">");
}

inline std::string file(const std::string& content) { return "<tmfxml>" + content + "</tmfxml>"; }

/// Returns a file with a single state provider "p"; `others` are views.
inline std::string provider(const std::string& content, const std::string& others = {})
{
    return file(element("stateProvider", R"(id="p" version="1")", content) + others);
}

/// Returns a file with a single pattern "p". `before`: stored fields, locations and other elements before the machines.
inline std::string pattern(const std::string& content, const std::string& before = {}, const std::string& others = {},
                           const std::string& handler = {})
{
    return file(element("pattern", R"(id="p" version="1")", before + element("patternHandler", handler, content)) + others);
}

/// Returns the stateAttribute elements of a path such as "Files/{fd}/~/%/!/@place": constants, the field fd, #CurrentScenario, a pool, the
/// event's name, a location.
inline std::string path(std::string_view text)
{
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/'), text.size());
        const std::string name(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string type = "constant";
        std::string value = name;
        if (name.starts_with("{")) {
            type = "eventField";
            value = name.substr(1, name.size() - 2);
        } else if (name.starts_with("@")) {
            type = "location";
            value = name.substr(1);
        } else if (name == "~") {
            value = "#CurrentScenario";
        } else if (name == "%") {
            type = "pool";
        } else if (name == "!") {
            type = "eventName";
        }
        all += element("stateAttribute", "type=\"" + type + "\" value=\"" + value + "\"");
    }
    return all;
}

/// Returns a stateValue element. `more`: further attributes.
inline std::string value(const std::string& type, const std::string& text = {}, const std::string& more = {},
                         const std::string& content = {})
{
    return element("stateValue",
                   "type=\"" + type + "\"" + (text.empty() ? "" : " value=\"" + text + "\"") + (more.empty() ? "" : " ") + more, content);
}
inline std::string integer(std::int64_t number, const std::string& more = {}) { return value("int", std::to_string(number), more); }
inline std::string longer(std::int64_t number, const std::string& more = {}) { return value("long", std::to_string(number), more); }
inline std::string text(const std::string& it, const std::string& more = {}) { return value("string", it, more); }
inline std::string field(const std::string& name, const std::string& more = {}) { return value("eventField", name, more); }
inline std::string query(const std::string& where, const std::string& more = {}) { return value("query", {}, more, path(where)); }
inline std::string null(const std::string& more = {}) { return value("null", {}, more); }

/// Returns a stateChange that sets the attribute to the value.
inline std::string set(const std::string& where, const std::string& what) { return element("stateChange", {}, path(where) + what); }
/// Returns a stateChange with a condition: sets the attribute to `then`, or else to `otherwise` if given.
inline std::string setIf(const std::string& condition, const std::string& where, const std::string& then, const std::string& otherwise = {})
{
    return element("stateChange", {},
                   element("if", {}, condition) + element("then", {}, path(where) + then)
                       + (otherwise.empty() ? "" : element("else", {}, path(where) + otherwise)));
}

/// Returns an eventHandler element.
inline std::string on(const std::string& event, const std::string& changes)
{
    return element("eventHandler", "eventName=\"" + event + "\"", changes);
}

/// Returns a comparison of two values, or of a path or field with a value.
inline std::string is(const std::string& sides, const std::string& operation = {})
{
    return element("condition", operation.empty() ? "" : "operator=\"" + operation + "\"", sides);
}
inline std::string ofField(const std::string& name) { return element("field", "name=\"" + name + "\""); }

inline std::string testIf(const std::string& id, const std::string& condition)
{
    return element("test", "id=\"" + id + "\"", element("if", {}, condition));
}
inline std::string action(const std::string& id, const std::string& content) { return element("action", "id=\"" + id + "\"", content); }

/// Returns an fsm element. `more`: further attributes.
inline std::string fsm(const std::string& id, const std::string& content, const std::string& more = {})
{
    return element("fsm", "id=\"" + id + "\" " + more, content);
}
inline std::string state(const std::string& id, const std::string& content = {}) { return element("state", "id=\"" + id + "\"", content); }
inline std::string final(const std::string& id) { return element("final", "id=\"" + id + "\""); }
/// Returns a transition element. `more`: cond, action, saveStoredFields and other attributes.
inline std::string transition(const std::string& event, const std::string& target, const std::string& more = {})
{
    return element("transition", (event.empty() ? "" : "event=\"" + event + "\" ") + "target=\"" + target + "\" " + more);
}

inline std::string countIn(const std::string& where) { return set(where, integer(1, R"(increment="true")")); }
/// Returns an action that stores its rank among all executed actions: "order/ID" is 1 for the first action, 2 for the second...
inline std::string noted(const std::string& id, const std::string& more = {})
{
    return action(id, countIn("n") + set("order/" + id, query("n")) + more);
}
inline std::string initialState(const std::string& transitions) { return element("initialState", {}, transitions); }
inline std::string initial(const std::string& target, const std::string& more = {})
{
    return element("initial", {}, transition({}, target, more));
}
inline std::string onEntry(const std::string& actions) { return element("onentry", "action=\"" + actions + "\""); }
inline std::string onExit(const std::string& actions) { return element("onexit", "action=\"" + actions + "\""); }
inline std::string precondition(const std::string& more) { return element("precondition", more); }
inline std::string stored(const std::string& id, const std::string& more = {})
{
    return element("storedField", "id=\"" + id + "\" " + more);
}

} // namespace helio::test::xml_text
